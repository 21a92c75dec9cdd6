/** The bundler handles CSS imports; they have no exports. */
declare module '*.css';
