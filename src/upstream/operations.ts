import type { Module } from '../kernel/operation.ts';
import { activate } from './operation/activate.ts';
import { status } from './operation/status.ts';

export const upstream: Module = { operations: [activate, status], resources: [], prompts: [] };
