/** How PostgreSQL writes what tables declare. */
export const spelling = { bigint: 'bigint', text: 'text collate "C"', after: '' };
