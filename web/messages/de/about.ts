import { productName } from '@keepsnap/contract/product.ts'
import type { about as english } from '../en/about.ts'

export const about: typeof english = {
  title: 'Über uns',
  description: `Wofür ${productName} da ist, wie es funktioniert und wer dahintersteht.`,
  heading: 'Das beste Foto des Abends darf nicht in der Kamera bleiben',
  lead: `${productName} bringt das Bild zu den Menschen, die darauf sind, während die Musik noch spielt: auf den großen Bildschirm, mit einem Code daneben, und einen Moment später auf das eigene Handy.`,
  print: { line: 'Es ist angerichtet', code: 'QR-Code dieses Beispielbilds' },
  mission: {
    heading: 'Unser Ziel',
    paragraphs: [
      'Wochen nach einem Fest kommt ein Link mit Hunderten von Bildern, und kaum jemand sucht noch sein eigenes. Wir finden: Am meisten wert ist ein Foto in der Stunde, in der es entsteht, für die Menschen, die darauf sind.',
      'Deshalb machen wir eine Sache und halten sie einfach: ein Foto, sein Code und nichts zwischen dem Gast und dem Bild. Keine App und kein Konto. Wenn jemand beim Fotografieren nach einer E-Mail-Adresse fragt, wird sie verwendet, um dieses Foto zu senden, und für nichts anderes.',
    ],
  },
  how: {
    heading: 'So funktioniert es',
    take: {
      title: 'Aufnehmen',
      text: 'Das Foto wird von einer Kamera, einer Fotobox oder einem Handy hochgeladen.',
    },
    show: {
      title: 'Zeigen',
      text: 'Sobald es fertig ist, füllt es den großen Bildschirm, mit seinem eigenen Code daneben.',
    },
    keep: {
      title: 'Behalten',
      text: 'Gäste scannen den Code und speichern das Bild in voller Auflösung. Oder sie hinterlassen eine E-Mail-Adresse und finden es im Posteingang.',
    },
    scan: 'Scannen, behalten',
    save: 'Speichern',
  },
  team: {
    heading: 'Das Team',
    operator: 'Betreiber dieser Website',
    sample: 'Das sind Beispielwerte: Der Betreiber dieser Website hat noch keinen Namen und keine Adresse eingetragen.',
    failed: 'Der Betreiber dieser Website konnte nicht geladen werden.',
    open: 'Das Programm selbst ist Open Source, unter der GNU Affero General Public License: Jeder darf es lesen, verändern und betreiben.',
  },
  end: {
    heading: 'Nimm es mit auf dein nächstes Fest',
    start: 'Loslegen',
    upload: 'Fotos hochladen',
    support: 'Schreib uns',
  },
}
