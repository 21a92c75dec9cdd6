/** Node's own, loaded at the first use: it takes 3 ms, and most hooks write nothing. */
export const crypto = () => process.getBuiltinModule('node:crypto');
