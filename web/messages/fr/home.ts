import { productName } from '@keepsnap/contract/product.ts'
import type { home as english } from '../en/home.ts'

/** The home page. */
export const home: typeof english = {
  title: 'Un code QR pour chaque photo',
  heading: 'Une photo à l’écran, un scan, et vos invités repartent avec.',
  lead: `${productName} affiche chacune de vos photos avec son propre code QR. Vos invités le visent avec leur téléphone et récupèrent la photo en quelques secondes. Sans appli, sans compte.`,
  getStarted: 'Commencer',
  seeMore: 'Voir le grand écran',
  welcome: 'Bonjour',
  welcomeFirst: 'Bienvenue,',
  welcomeBack: 'Bonjour,',
  welcomeLead: 'Ajoutez une photo : son code apparaît à l’écran un instant plus tard.',
  firstPhotoLead: 'Prochaine étape : ajoutez une photo. Son code est prêt un instant plus tard.',
  firstScreenLead:
    'Votre première photo est là. Prochaine étape : affichez-la sur le grand écran, où vos invités scanneront son code.',
  unconfirmed: 'Votre adresse e-mail n’est pas encore confirmée.',
  unconfirmedAction: 'Comment la confirmer',
  uploadPhotos: 'Ajouter des photos',
  openLatest: 'Ouvrir le grand écran',
  pauseExample: 'Mettre l’exemple en pause',
  playExample: 'Reprendre l’exemple',
  scanLine: 'Scannez pour garder cette photo',
  codeAlt: 'Code QR de la photo d’exemple',
  tilesHeading: 'Du déclencheur à la poche',
  tiles: {
    bigScreen: {
      title: 'Un grand écran qui suit le rythme',
      text: 'La dernière photo s’affiche toute seule, aussi grande que l’écran le permet, avec son code toujours au même endroit.',
      line: 'Scannez-moi',
    },
    pocket: {
      title: 'Dans la poche en quelques secondes',
      text: 'Le code ouvre la photo, avec un seul grand bouton pour l’enregistrer sur le téléphone.',
      button: 'Enregistrer',
    },
    mail: {
      title: 'Ou envoyée par e-mail',
      text: 'Si vous préférez, demandez d’abord une adresse e-mail. Vous suivez chaque demande et son envoi.',
      label: 'Votre adresse e-mail',
      button: 'Recevoir la photo',
    },
    brand: {
      title: 'Signée de votre nom',
      text: `Votre logo dans le coin, votre image de fond derrière la photo. ${productName} ne s’invite pas sur l’image.`,
    },
    gallery: {
      title: 'Toute la soirée au même endroit',
      text: 'Toutes les photos, les plus récentes d’abord, dans une galerie qui reste rapide même quand il y en a des milliers.',
    },
    booth: {
      title: 'Directement depuis la borne photo',
      text: 'L’appareil photo ou la borne envoie les photos à votre place, et vous gardez un œil sur votre quota du mois.',
      usage: 'Photos ce mois-ci',
      used: (photos, most) => `${photos} sur ${most}`,
    },
  },
}
