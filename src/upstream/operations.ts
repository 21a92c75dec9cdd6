import type { Module } from '../kernel/operation.ts';

export const upstream: Module = { operations: [], resources: [], prompts: [] };
