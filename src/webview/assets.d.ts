declare module '*.css';
/** The file's text. */
declare module '*.svg' {
  const text: string;
  export default text;
}
/** A program of its own, bundled: its text. */
declare module '*?program' {
  const text: string;
  export default text;
}
