import * as z from 'zod';

export const commandsSchema = z.record(z.string(), z.array(z.string()).min(1));

export const passkeysSchema = z
  .record(z.string(), z.string().optional())
  .transform((given) =>
    Object.fromEntries(Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined)),
  );
