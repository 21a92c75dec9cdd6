export const upstream = {} as const;
