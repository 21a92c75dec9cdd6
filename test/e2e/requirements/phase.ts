export const phase = {} as const;
