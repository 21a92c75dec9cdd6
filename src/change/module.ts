import { defineModule } from '../kernel/module.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export const change = defineModule({ name: 'change', settings, tables });
