import type { storageEmails as english } from '../en/storage-emails.ts'

/** Emails about what a plan includes: usage of it, and photos that are removed after a larger plan has ended. */
export const storageEmails: typeof english = {
  usage: {
    photosNearlyUsed: (used, limit) => `Vous avez utilisé ${used} de vos ${limit} photos du mois`,
    photosUsed: (limit) => `Vous avez utilisé vos ${limit} photos du mois`,
    storageNearlyFull: (used, limit) => `Vous avez utilisé ${used} de vos ${limit} de stockage`,
    storageFull: (limit) => `Votre espace de ${limit} est plein`,
    preview: (planName) => `Ce que comprend votre formule, ${planName}, et comment en avoir plus.`,
    photosLead: (planName, limit) => `Votre formule, ${planName}, comprend ${limit} photos par mois.`,
    photosUntil: (when) => `Le compteur repart à zéro le ${when}.`,
    photosWait:
      'D’ici là, les nouvelles photos restent dans votre file d’envoi. Elles partiront d’elles-mêmes dès qu’il y aura de la place.',
    storageLead: (planName, limit, used) =>
      `Votre formule, ${planName}, comprend ${limit} de stockage. Vos photos en occupent ${used}.`,
    storageWaits:
      'Les nouvelles photos qui ne tiennent plus restent dans votre file d’envoi. Elles partiront d’elles-mêmes dès qu’il y aura de la place.',
    morePhotos: 'S’il vous en faut davantage d’ici là, choisissez une formule supérieure.',
    moreStorage: 'Supprimez les photos dont vous n’avez plus besoin, ou choisissez une formule supérieure.',
    morePhotosThanAnyPlan: (address) => `S’il vous en faut davantage d’ici là, écrivez à ${address}.`,
    moreStorageThanAnyPlan: (address) =>
      `Supprimez les photos dont vous n’avez plus besoin. S’il vous faut plus d’espace, écrivez à ${address}.`,
    plans: 'Voir les formules',
    gallery: 'Ouvrir la galerie',
    settings: 'Ouvrir les paramètres',
    reason: (host) => `Vous recevez cet e-mail parce que votre compte sur ${host} a atteint une limite de sa formule.`,
  },
  removal: {
    subject: (photos, count, when) =>
      photos < 2 ? `${count} photo sera supprimée le ${when}` : `${count} photos seront supprimées le ${when}`,
    preview:
      'Téléchargez tout, choisissez une formule supérieure ou supprimez les photos dont vous n’avez plus besoin.',
    heading: (photos, count) =>
      photos < 2 ? 'Une de vos photos sera supprimée' : `${count} de vos photos seront supprimées`,
    lead: (planName, limit, used) =>
      `Votre formule précédente a pris fin. Vous avez désormais ${planName}, avec ${limit} de stockage, et vos photos occupent ${used}.`,
    removed: ({ photos, count, size, when }) =>
      photos < 2
        ? `Le ${when}, la photo la plus ancienne (${size}) sera supprimée pour que les autres tiennent. Ses codes et ses liens ne fonctionneront plus.`
        : `Le ${when}, les ${count} photos les plus anciennes (${size}) seront supprimées pour que les autres tiennent. Leurs codes et leurs liens ne fonctionneront plus.`,
    keep: (pricingUrl) =>
      `Pour les garder toutes, choisissez une formule supérieure sur ${pricingUrl} ou supprimez d’autres photos avant ce jour.`,
    archive:
      'Une copie de tout le contenu de votre compte est prête. Gardez son lien pour vous : toute personne qui l’a peut ouvrir le fichier.',
    noArchive: 'Dans les paramètres, vous pouvez demander une copie de tout le contenu de votre compte.',
    download: 'Tout télécharger',
    expiry: (when) => `Le lien fonctionne jusqu’au ${when}.`,
    settings: 'Ouvrir les paramètres',
    reason: (host) => `Vous recevez cet e-mail parce que des photos de votre compte sur ${host} vont être supprimées.`,
  },
  removed: {
    subject: (photos, count) => (photos < 2 ? `${count} photo a été supprimée` : `${count} photos ont été supprimées`),
    preview: (when) => `Vous pouvez encore les récupérer jusqu’au ${when}.`,
    heading: (photos, count) =>
      photos < 2 ? 'Une de vos photos a été supprimée' : `${count} de vos photos ont été supprimées`,
    lead: (planName, limit, size) =>
      `Votre formule, ${planName}, comprend ${limit} de stockage. Les photos les plus anciennes (${size}) ont été supprimées pour que les autres tiennent.`,
    restore: (when) =>
      `Jusqu’au ${when}, vous pouvez les récupérer : choisissez une formule supérieure et elles reviennent d’elles-mêmes, ou faites de la place et récupérez-les dans les paramètres. Ensuite, elles seront effacées définitivement.`,
    button: 'Ouvrir les paramètres',
    reason: (host) => `Vous recevez cet e-mail parce que des photos de votre compte sur ${host} ont été supprimées.`,
  },
}
