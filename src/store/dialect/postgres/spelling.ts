/** How PostgreSQL spells the parts of a table declaration. */
export const spelling = { bigint: 'bigint', text: 'text collate "C"', after: '' };
