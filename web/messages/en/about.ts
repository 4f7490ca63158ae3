import { productName } from '@keepsnap/contract/product.ts'

/** The page About. */
export const about = {
  title: 'About',
  description: `What ${productName} is for, how it works and who runs it.`,
  heading: 'The best photo of the night should not stay in the camera',
  lead: `${productName} brings a photographer’s picture to the person in it, while the music is still playing: on the big screen, with a code beside it, and on their own phone a moment later.`,
  print: { line: 'Dinner is served', code: 'QR code of this sample picture' },
  mission: {
    heading: 'Our mission',
    paragraphs: [
      'Weeks after a party, a link arrives with hundreds of pictures, and few people look for their own. We think a photo is worth most in the hour it was taken, to the people who are in it.',
      'So we made one thing and keep it simple: a photo, its code, and nothing between the guest and the picture. No app and no account. When a photographer asks for an email address, it is used to send that photo and nothing else.',
    ],
  },
  how: {
    heading: 'How it works',
    take: {
      title: 'Take it',
      text: 'The photo is uploaded from a camera, a booth or a phone.',
    },
    show: {
      title: 'Show it',
      text: 'As soon as it is ready, it fills the big screen, with its own code beside it.',
    },
    keep: {
      title: 'Keep it',
      text: 'Guests scan the code and save the full picture. Or they leave an email address and find it in their inbox.',
    },
    scan: 'Scan to keep',
    save: 'Save photo',
  },
  team: {
    heading: 'The team',
    operator: 'Operator of this site',
    sample: 'These are sample values: the operator of this site has not entered a name and address yet.',
    failed: 'We couldn’t load who runs this site.',
    open: `${productName} is open-source software under the GNU Affero General Public License: anyone may read, change and run it.`,
  },
  end: { heading: 'Bring it to your next event', start: 'Get Started', upload: 'Upload Photos', support: 'Talk to us' },
}
