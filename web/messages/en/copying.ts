/** Buttons that copy a text. */
export const copying = {
  copy: 'Copy',
  copyNamed: (label: string) => `Copy: ${label}`,
  copied: 'Copied',
  /** Where the browser does not let pages copy: the user copies what is selected. */
  selected: 'Selected',
}
