import { productName } from '@keepsnap/contract/product.ts'
import type { home as english } from '../en/home.ts'

export const home: typeof english = {
  title: 'Ein QR-Code für jedes Foto',
  heading: 'Ein Foto auf dem Bildschirm, ein Scan\u00a0– und deine Gäste nehmen es mit.',
  lead: `${productName} zeigt jedes Bild, das du machst, mit einem eigenen QR-Code. Deine Gäste halten ihr Handy davor und haben das Foto in Sekunden. Ohne App, ohne Konto.`,
  getStarted: 'Loslegen',
  seeMore: 'Zum großen Bildschirm',
  welcome: 'Willkommen',
  welcomeFirst: 'Willkommen,',
  welcomeBack: 'Willkommen zurück,',
  welcomeLead: 'Lade ein Foto hoch, und gleich darauf steht sein Code auf dem Bildschirm.',
  firstPhotoLead: 'Dein nächster Schritt: Lade ein Foto hoch. Gleich darauf ist sein Code fertig.',
  firstScreenLead:
    'Dein erstes Foto ist da. Dein nächster Schritt: Öffne es auf dem großen Bildschirm, wo deine Gäste den Code scannen.',
  unconfirmed: 'Deine E-Mail-Adresse ist noch nicht bestätigt.',
  unconfirmedAction: 'So bestätigst du sie',
  uploadPhotos: 'Fotos hochladen',
  openLatest: 'Zum großen Bildschirm',
  pauseExample: 'Beispiel anhalten',
  playExample: 'Beispiel abspielen',
  scanLine: 'Scannen und Foto behalten',
  codeAlt: 'QR-Code des Beispielfotos',
  tilesHeading: 'Vom Auslöser in die Hosentasche',
  tiles: {
    bigScreen: {
      title: 'Ein großer Bildschirm, der Schritt hält',
      text: 'Das neueste Foto erscheint von selbst, so groß, wie der Bildschirm es erlaubt, und der Code steht immer an derselben Stelle.',
      line: 'Scannen und behalten',
    },
    pocket: {
      title: 'In Sekunden auf dem Handy',
      text: 'Der Code öffnet das Foto mit einem großen Knopf, der es auf dem Handy speichert.',
      button: 'Foto speichern',
    },
    mail: {
      title: 'Oder per E-Mail',
      text: 'Wenn du willst, fragst du zuerst nach einer E-Mail-Adresse. Du siehst jede Anfrage und ob das Foto verschickt wurde.',
      label: 'Deine E-Mail-Adresse',
      button: 'Foto senden',
    },
    brand: {
      title: 'Mit deinem Namen',
      text: `Dein Logo in der Ecke, dein Hintergrund auf dem Bildschirm. ${productName} hält sich aus dem Bild heraus.`,
    },
    gallery: {
      title: 'Der ganze Abend an einem Ort',
      text: 'Alle Fotos, die neuesten zuerst, in einer Galerie, die auch bei Tausenden flott bleibt.',
    },
    booth: {
      title: 'Direkt aus der Fotobox',
      text: 'Lass Kamera oder Fotobox für dich hochladen und behalte dein Monatskontingent im Blick.',
      usage: 'Fotos im Monat',
      used: (photos: number, most: number) => `${photos} von ${most}`,
    },
  },
}
