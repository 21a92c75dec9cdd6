import type { Module } from '../kernel/operation.ts';

export const fleet: Module = { operations: [], resources: [], prompts: [] };
