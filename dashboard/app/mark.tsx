/** The logo: a gate. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M4 8h24M7 8v19M25 8v19M4 13.5h24" />
    </svg>
  );
}
