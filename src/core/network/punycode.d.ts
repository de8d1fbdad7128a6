/** It has no types of its own. */
declare module 'punycode.js' {
  const punycode: {
    /** @throws RangeError when a label is no Punycode. */
    toUnicode(domain: string): string;
  };
  export default punycode;
}
