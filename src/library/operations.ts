/** The operations by name, left open here: the build declares the input and output of each, so the package needs no zod. */
export interface Operations {
  readonly [name: string]: { readonly input: object; readonly output: object };
}
