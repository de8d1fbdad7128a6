declare module '*.css';
/** Text of the file. */
declare module '*.svg' {
  const text: string;
  export default text;
}
/** Source text of a separately bundled script. */
declare module '*?program' {
  const text: string;
  export default text;
}
