/** What a process holds right after a collection, by the address of its inspector. */
export declare function heldAfterCollection(inspector: string): Promise<number>;
