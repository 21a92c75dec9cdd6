import type { Module } from '../kernel/operation.ts';

export const work: Module = { operations: [], resources: [], prompts: [] };
