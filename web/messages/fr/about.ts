import { productName } from '@keepsnap/contract/product.ts'
import type { about as english } from '../en/about.ts'

export const about: typeof english = {
  title: 'À propos',
  description: `À quoi sert ${productName}, comment cela fonctionne et qui s’en occupe.`,
  heading: 'La plus belle photo de la soirée ne doit pas rester dans l’appareil',
  lead: `${productName} apporte la photo à ceux qui y figurent, pendant que la musique joue encore : sur le grand écran, avec un code à côté, et un instant plus tard sur leur téléphone.`,
  print: { line: 'À table', code: 'Code QR de cette photo d’exemple' },
  mission: {
    heading: 'Notre mission',
    paragraphs: [
      'Des semaines après une fête, un lien arrive avec des centaines de photos, et peu de gens cherchent la leur. Nous pensons qu’une photo n’a jamais autant de valeur que dans l’heure où elle est prise, pour les personnes qui y figurent.',
      'Nous avons donc fait une seule chose, simplement : une photo, son code, et rien entre l’invité et l’image. Ni appli ni compte. Quand un photographe demande une adresse e-mail, elle sert à envoyer cette photo et à rien d’autre.',
    ],
  },
  how: {
    heading: 'Comment ça marche',
    take: {
      title: 'Prendre',
      text: 'La photo est envoyée depuis un appareil photo, une borne photo ou un téléphone.',
    },
    show: {
      title: 'Montrer',
      text: 'Dès qu’elle est prête, elle remplit le grand écran, avec son propre code à côté.',
    },
    keep: {
      title: 'Garder',
      text: 'Les invités scannent le code et enregistrent la photo en pleine résolution. Ou bien ils laissent une adresse e-mail et la trouvent dans leur boîte de réception.',
    },
    scan: 'Scannez, gardez',
    save: 'Enregistrer',
  },
  team: {
    heading: 'L’équipe',
    operator: 'Exploitant de ce site',
    sample: 'Ce sont des valeurs d’exemple : l’exploitant de ce site n’a pas encore indiqué de nom ni d’adresse.',
    failed: 'Impossible d’afficher l’exploitant de ce site.',
    open: 'Le programme lui-même est libre, sous la licence publique générale GNU Affero : chacun peut le lire, le modifier et l’utiliser.',
  },
  end: {
    heading: 'Emportez-le à votre prochain événement',
    start: 'Commencer',
    upload: 'Ajouter des photos',
    support: 'Écrivez-nous',
  },
}
