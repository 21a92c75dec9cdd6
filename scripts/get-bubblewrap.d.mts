export function getBubblewrap(): string | undefined;
