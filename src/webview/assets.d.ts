declare module '*.css';
/** Text of the file. */
declare module '*.svg' {
  const text: string;
  export default text;
}
