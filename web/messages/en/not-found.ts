/** The page for an unknown path. */
export const notFound = {
  title: 'Page not found',
  heading: 'This page isn’t in the album',
  lead: 'The address may be mistyped, or the page has moved.',
  print: 'Nothing was taken here',
  goBack: 'Go Back',
  goHome: 'Go Home',
  stillLost: 'Still lost?',
  contactSupport: 'Contact support',
}
