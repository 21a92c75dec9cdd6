/** The bundler takes it; it is nothing to the code. */
declare module '*.css';
