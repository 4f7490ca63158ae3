import { productName } from '@keepsnap/contract/product.ts'
import type { about as english } from '../en/about.ts'

export const about: typeof english = {
  title: 'Over ons',
  description: `Waar ${productName} voor dient, hoe het werkt en wie erachter zit.`,
  heading: 'De beste foto van de avond hoort niet in de camera te blijven',
  lead: `${productName} brengt de foto van de fotograaf bij wie erop staat, terwijl de muziek nog speelt: op het grote scherm, met een code ernaast, en even later op de eigen telefoon.`,
  print: { line: 'Aan tafel', code: 'QR-code van deze voorbeeldfoto' },
  mission: {
    heading: 'Onze missie',
    paragraphs: [
      'Weken na een feest komt er een link met honderden foto’s, en bijna niemand zoekt de zijne nog. Wij denken dat een foto nooit zoveel waard is als in het uur waarin hij gemaakt is, voor de mensen die erop staan.',
      'Daarom maakten we één ding en houden we het eenvoudig: een foto, de code ervan, en niets tussen de gast en het beeld. Geen app en geen account. Vraagt een fotograaf om een e-mailadres, dan dient dat om die foto te sturen en voor niets anders.',
    ],
  },
  how: {
    heading: 'Zo werkt het',
    take: {
      title: 'Maken',
      text: 'De foto wordt geüpload vanaf een camera, een photobooth of een telefoon.',
    },
    show: {
      title: 'Tonen',
      text: 'Zodra hij klaar is, vult hij het grote scherm, met zijn eigen code ernaast.',
    },
    keep: {
      title: 'Bewaren',
      text: 'Gasten scannen de code en bewaren de foto in volle resolutie. Of ze laten een e-mailadres achter en vinden hem in hun mailbox.',
    },
    scan: 'Scan en bewaar',
    save: 'Foto bewaren',
  },
  team: {
    heading: 'Het team',
    operator: 'Beheerder van deze site',
    sample: 'Dit zijn voorbeeldgegevens: de beheerder van deze site heeft nog geen naam en adres ingevuld.',
    failed: 'We konden niet laden wie deze site beheert.',
    open: 'Het programma zelf is opensource, onder de GNU Affero General Public License: iedereen mag het lezen, aanpassen en gebruiken.',
  },
  end: {
    heading: 'Neem het mee naar je volgende feest',
    start: 'Aan de slag',
    upload: 'Foto’s uploaden',
    support: 'Contact opnemen',
  },
}
