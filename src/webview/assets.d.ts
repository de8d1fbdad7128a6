declare module '*.css';
/** The file's text. */
declare module '*.svg' {
  const text: string;
  export default text;
}
