/**
 * The operations by name. The sources leave them open; the build replaces the declarations of this file with the inputs and
 * outputs of every operation, so that the package needs no zod.
 */
export interface Operations {
  readonly [name: string]: { readonly input: object; readonly output: object };
}
