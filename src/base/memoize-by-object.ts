/** Memoizes a function of one object in a WeakMap. */
export function memoizeByObject<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known as T;
    const one = make(key);
    made.set(key, one);
    return one;
  };
}
