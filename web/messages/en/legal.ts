/** Around the texts of the Privacy Policy and the General Conditions, which are in web/features/legal. */
export const legal = {
  contents: 'On this page',
  short: 'In short',
  print: 'Print',
  current: (date: string) => `In force since ${date}`,
  earlier: (from: string, until: string) => `In force from ${from} until ${until}`,
  announced: (date: string) => `In force from ${date}`,
  notes: {
    sample: 'Sample text, not legal advice',
    sampleWhy: 'The company that runs this site has not entered its name and address yet.',
    earlier:
      'This is an earlier version, which no longer applies. Names, addresses and services in it are those of today’s settings of this site.',
    announced: 'This version does not apply yet.',
    unknown: 'There is no version of this date. This is the one that applies.',
    next: (date: string) => `A new version applies from ${date}.`,
    toCurrent: 'Show the version that applies',
    toNext: 'Show the new version',
  },
  versions: 'Versions',
  first: 'First version',
  loading: 'Loading the text',
  failed: 'The text couldn’t be loaded. Check your connection and try again.',
}
