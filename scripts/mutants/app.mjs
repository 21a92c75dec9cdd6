export default [
  {
    what: 'a folder that has another store now',
    find: 'const key = JSON.stringify(place);',
    replace: 'const key = JSON.stringify([place.root, place.tree]);',
    tests: ['test/e2e/locate.test.ts'],
    only: 'long-named root',
  },
];
