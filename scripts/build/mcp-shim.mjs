// Stands in for `@modelcontextprotocol/{server,client}/_shims`, which bring a whole ajv to every start.
// Both SDK classes construct the validator eagerly, so only its use may throw.
export { default as process } from 'node:process';

export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error(
      'The SDK’s JSON Schema validator is not part of Sekisho: pass `jsonSchemaValidator`, or validate yourself.',
    );
  }
}
