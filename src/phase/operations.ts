import type { Module } from '../kernel/operation.ts';

export const phase: Module = { operations: [], resources: [], prompts: [] };
