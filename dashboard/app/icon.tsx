/** SVG paths on a 16 by 16 grid, one for each screen of the menu. */
const strokes = {
  inbox: 'M2 9h3.5l1 2h3l1-2H14M2 9l2.2-5.5h7.6L14 9v4H2z',
  runs: 'M4 5v6M4 8h4.5A3.5 3.5 0 0 0 12 5M4 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM12 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  board: 'M2.5 2.5h3v11h-3zM6.5 2.5h3v6.5h-3zM10.5 2.5h3v9h-3z',
  fleet: 'M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  work: 'M2.5 5.5h11V13h-11zM6 5.5v-2h4v2M2.5 9h11',
  processes: 'M5.5 2.5h5V6h-5zM2 10h4.5v3.5H2zM9.5 10H14v3.5H9.5zM8 6v2M4.25 10V8h7.5v2',
  prompts: 'M2.5 3h11v8h-6l-3 2.5V11h-2zM5 6h6M5 8.5h4',
  upstreams: 'M5.5 2v3M10.5 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  journal: 'M5.5 3.5h8M5.5 8h8M5.5 12.5h8M2.5 3.5h.5M2.5 8h.5M2.5 12.5h.5',
  projects: 'M2 3.5h4L7.5 5H14v8H2z',
  settings:
    'M2.5 4.5h5.8M11.7 4.5h1.8M2.5 11.5h1.3M7.2 11.5h6.3M10 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.5 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
} as const;

export type IconName = keyof typeof strokes;

/** An icon beside a word, never instead of one. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}
