import { productName } from '@keepsnap/contract/product.ts'
import type { home as english } from '../en/home.ts'

/** The home page. */
export const home: typeof english = {
  title: 'Een QR-code voor elke foto',
  heading: 'Een foto op het scherm, één scan, en je gast neemt hem mee naar huis.',
  lead: `${productName} toont elke foto die je maakt met een eigen QR-code. Gasten richten hun telefoon erop en hebben de foto binnen enkele seconden. Geen app, geen account.`,
  getStarted: 'Aan de slag',
  seeMore: 'Bekijk het grote scherm',
  welcome: 'Welkom',
  welcomeFirst: 'Welkom,',
  welcomeBack: 'Welkom terug,',
  welcomeLead: 'Voeg een foto toe en even later staat de code op het scherm.',
  firstPhotoLead: 'Je volgende stap: voeg een foto toe. De code is even later klaar.',
  firstScreenLead: 'Je eerste foto is er. Je volgende stap: open hem op het grote scherm, waar gasten de code scannen.',
  unconfirmed: 'Je e-mailadres is nog niet bevestigd.',
  unconfirmedAction: 'Zo bevestig je het',
  uploadPhotos: 'Foto’s uploaden',
  openLatest: 'Groot scherm openen',
  pauseExample: 'Voorbeeld pauzeren',
  playExample: 'Voorbeeld afspelen',
  scanLine: 'Scan en bewaar deze foto',
  codeAlt: 'QR-code van de voorbeeldfoto',
  tilesHeading: 'Van klik tot broekzak',
  tiles: {
    bigScreen: {
      title: 'Een groot scherm dat bijblijft',
      text: 'De nieuwste foto verschijnt vanzelf, zo groot als het scherm toelaat, met de code altijd op dezelfde plek.',
      line: 'Scan en bewaar',
    },
    pocket: {
      title: 'In een paar tellen op zak',
      text: 'De code opent de foto, met één grote knop om hem op de telefoon te bewaren.',
      button: 'Foto bewaren',
    },
    mail: {
      title: 'Of per e-mail',
      text: 'Vraag eerst een e-mailadres, als je dat wilt. Je ziet elke aanvraag en of de foto verstuurd is.',
      label: 'Je e-mailadres',
      button: 'Stuur mijn foto',
    },
    brand: {
      title: 'Met jouw naam erop',
      text: `Je logo in de hoek, je achtergrond op het scherm. ${productName} blijft zelf buiten beeld.`,
    },
    gallery: {
      title: 'De hele avond op één plek',
      text: 'Alle foto’s, de nieuwste eerst, in een galerij die ook met duizenden foto’s vlot blijft.',
    },
    booth: {
      title: 'Rechtstreeks uit de photobooth',
      text: 'Laat de camera of photobooth zelf uploaden en zie hoeveel foto’s je deze maand nog hebt.',
      usage: 'Foto’s deze maand',
      used: (photos, most) => `${photos} van ${most}`,
    },
  },
}
