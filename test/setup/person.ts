/** Every world's user has this one from the start; the product itself keeps only its hash. */
export const personToken = 'the-token-of-the-person-in-every-test-world';
