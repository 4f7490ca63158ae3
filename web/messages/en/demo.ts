/** The demonstration of the big screen. */
export const demo = {
  title: 'The big screen',
  heading: 'Demonstration of the big screen',
  label: 'Demonstration',
  lead: 'Sample pictures are shown one after another. Every code works.',
  failed: 'The sample pictures couldn’t be loaded.',
  getStarted: 'Get Started',
  openLatest: 'Open Latest',
  pause: 'Pause',
  play: 'Play',
  next: 'Next',
}
