/** The themes a person with defaults meets, by their names in the settings. */
export const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** By their names in the list of themes. */
export const themeLabels = {
  ...themes,
  highContrast: 'Dark High Contrast',
  highContrastLight: 'Light High Contrast',
};

/** By what the workbench wears then. */
export const themeClasses = { light: 'vs', dark: 'vs-dark', highContrast: 'hc-black', highContrastLight: 'hc-light' };
