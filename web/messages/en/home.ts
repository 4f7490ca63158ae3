import { productName } from '@keepsnap/contract/product.ts'

/** The home page. */
export const home = {
  title: 'A QR code for every photo',
  heading: 'A photo on the screen, one scan, and it’s theirs to keep.',
  lead: `${productName} shows every picture you take with its own QR code. Guests point their phone at it and get the photo in seconds. No app, no account.`,
  getStarted: 'Get Started',
  seeMore: 'See the big screen',
  welcome: 'Welcome',
  welcomeFirst: 'Welcome,',
  welcomeBack: 'Welcome back,',
  welcomeLead: 'Add a photo and its code appears on the screen a moment later.',
  firstPhotoLead: 'Your next step: add a photo. Its code is ready a moment later.',
  firstScreenLead: 'Your first photo is here. Your next step: open it on the big screen, where guests scan its code.',
  unconfirmed: 'Your email address isn’t confirmed yet.',
  unconfirmedAction: 'How to confirm it',
  uploadPhotos: 'Upload Photos',
  openLatest: 'Open the big screen',
  pauseExample: 'Pause the example',
  playExample: 'Play the example',
  scanLine: 'Scan to keep this photo',
  codeAlt: 'QR code of the example photo',
  tilesHeading: 'From shutter to pocket',
  tiles: {
    bigScreen: {
      title: 'A big screen that keeps up',
      text: 'The newest photo appears automatically, as large as the screen allows, with its code always in the same place.',
      line: 'Scan to keep',
    },
    pocket: {
      title: 'In their pocket in seconds',
      text: 'The code opens the photo with one big button that saves it to their phone.',
      button: 'Save photo',
    },
    mail: {
      title: 'Or sent by email',
      text: 'Ask for an email address first, if you like. You see every request and whether it was sent.',
      label: 'Your email address',
      button: 'Send Photo',
    },
    brand: {
      title: 'Your name on it',
      text: `Your logo in the corner, your background behind the screen. ${productName} stays out of the picture.`,
    },
    gallery: {
      title: 'The whole night in one place',
      text: 'Every photo, newest first, in a gallery that stays fast with thousands of them.',
    },
    booth: {
      title: 'Straight from the booth',
      text: 'Let the camera or booth upload for you, and keep track of your monthly quota.',
      usage: 'Photos this month',
      used: (photos: number, most: number) => `${photos} of ${most}`,
    },
  },
}
