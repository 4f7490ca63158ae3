import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type * as english from '../en/event-archive.ts'

export const eventArchive: typeof english.eventArchive = {
  heading: 'Toutes les photos en un fichier',
  lead: 'Les photos en taille réelle sous leurs propres noms, y compris celles que vous avez masquées. Un téléchargement interrompu peut reprendre où il s’est arrêté.',
  size: (count, written, size) => (count === 1 ? `1 photo, ${size}` : `${written} photos, ${size}`),
  none: 'Il n’y a pas encore de photos à télécharger.',
  download: 'Tout télécharger',
  failed: 'La taille du téléchargement n’a pas pu être déterminée.',
  grants: {
    heading: 'Envoyer un lien vers tout',
    lead: `Pour les hôtes, un client ou un ami : un lien vers toutes les photos que les invités peuvent voir, sans compte et quel que soit l’état de la galerie. Il fonctionne ${eventLimits.grantDays} jours. Vous pouvez le révoquer à tout moment.`,
    address: 'Adresse e-mail',
    placeholder: 'nom@example.com',
    emailNeeded: 'Veuillez indiquer une adresse e-mail, par exemple nom@example.com.',
    send: 'Envoyer le lien',
    sent: (address) => `Le lien est en route vers ${address}.`,
    failedToSend: 'Le lien n’a pas pu être envoyé. Veuillez réessayer.',
    list: 'Liens que vous avez envoyés',
    none: 'Aucun lien n’a encore été envoyé.',
    until: (date) => `Fonctionne jusqu’au ${date}`,
    expired: 'Expiré',
    revoked: 'Révoqué',
    states: { queued: 'En cours d’envoi', sent: 'Envoyé', failed: 'Non envoyé' },
    resend: 'Renvoyer',
    resendTo: (address) => `Renvoyer le lien à ${address}`,
    revoke: 'Révoquer',
    revokeOf: (address) => `Révoquer le lien de ${address}`,
    loadFailed: 'Les liens n’ont pas pu être chargés.',
    revocation: {
      title: 'Révoquer ce lien ?',
      question: (address) =>
        `Le lien reçu par ${address} cesse aussitôt de fonctionner, et les téléchargements en cours s’arrêtent. Les photos déjà enregistrées leur restent.`,
      confirm: 'Révoquer',
      keep: 'Conserver',
      failed: 'Le lien n’a pas pu être révoqué. Veuillez réessayer.',
      done: 'Révoqué. Le lien ne fonctionne plus.',
    },
  },
}

export const eventGrant: typeof english.eventGrant = {
  description: 'Toutes les photos de cet événement.',
  from: (brandName) => `de ${brandName}`,
  size: (count, written, size) => (count === 1 ? `1 photo, ${size}` : `${written} photos, ${size}`),
  download: 'Tout télécharger',
  hint: 'Un fichier ZIP. Sur un ordinateur, il s’ouvre d’un double clic ; sur un téléphone, il faut assez d’espace et l’app Fichiers. Un téléchargement interrompu peut reprendre.',
  until: (when) =>
    `Ce lien fonctionne jusqu’au ${when}. Ne le partagez pas : toute personne qui l’a peut voir toutes ces photos.`,
  none: 'Il n’y a pas encore de photos. Ouvrez ce lien plus tard.',
  processing: (count) =>
    count === 1 ? '1 autre photo est en préparation.' : `${count} autres photos sont en préparation.`,
  photos: 'Photos, les plus récentes d’abord',
  photo: (number) => `Photo ${number}`,
  save: 'Enregistrer',
  saveOne: (number) => `Enregistrer la photo ${number}`,
  older: 'Photos plus anciennes',
  newest: 'Photos les plus récentes',
  gone: {
    heading: 'Ce lien ne fonctionne plus',
    advice: `Les liens vers toutes les photos d’un événement fonctionnent ${eventLimits.grantDays} jours, ou jusqu’à leur révocation. Demandez-en un nouveau à la personne qui l’a envoyé.`,
  },
}

export const eventGrantEmails: typeof english.eventGrantEmails = {
  grant: {
    subject: (eventName) => `Toutes les photos de ${eventName}`,
    preview: 'Un lien pour les regarder et les télécharger.',
    lead: (eventName, from) => `${from} vous donne toutes les photos de ${eventName}.`,
    count: (count, written) =>
      count === 0
        ? 'Elles apparaîtront sur la page dès qu’il y en aura.'
        : count === 1
          ? 'Il y a 1 photo pour l’instant. Celles qui seront ajoutées plus tard y seront aussi.'
          : `Il y a ${written} photos pour l’instant. Celles qui seront ajoutées plus tard y seront aussi.`,
    private:
      'Vous n’avez pas besoin de compte. Ne transmettez pas ce lien : toute personne qui l’a peut voir toutes ces photos.',
    button: 'Voir les photos',
    expiry: (when) => `Le lien fonctionne jusqu’au ${when}.`,
    ignore: 'Si vous ne savez pas qui l’a envoyé, vous pouvez ignorer cet e-mail.',
    reason: (host) =>
      `Vous recevez cet e-mail parce qu’une personne sur ${host} vous a envoyé les photos d’un événement.`,
  },
  created: {
    subject: 'Vous avez envoyé un lien vers toutes les photos d’un événement',
    heading: 'Un lien vers toutes les photos a été envoyé',
    lead: (when, address) =>
      `Le ${when}, un lien vers toutes les photos d’un de vos événements a été envoyé à ${address}. Toute personne qui l’a peut les voir et les télécharger.`,
    hint: 'Si c’était vous, vous n’avez rien à faire. Sinon, définissez tout de suite un nouveau mot de passe. En vous connectant avec celui-ci, vous pourrez révoquer le lien.',
  },
}

export const eventRequestEmails: typeof english.eventRequestEmails = {
  photos: {
    subject: (count, brandName) =>
      brandName === null
        ? `Les ${count} photos que vous avez demandées`
        : `Vos ${count} photos, de la part de ${brandName}`,
    heading: 'Voici vos photos',
    lead: 'Ouvrez-les une par une et enregistrez-les sur votre téléphone.',
    one: (number) => `Photo ${number}`,
    expiry: (when) => `Les liens fonctionnent jusqu’au ${when}.`,
    reason: (host) =>
      `Vous recevez cet e-mail parce que votre adresse a été indiquée sur une page photo de ${host}. ` +
      `Elle nous sert uniquement à envoyer ces photos.`,
  },
  archive: {
    preview: 'Un lien pour les télécharger en un seul fichier.',
    lead: (count, written, size) =>
      count === 1
        ? `Il y a 1 photo pour l’instant, ${size}.`
        : `Il y a ${written} photos pour l’instant, ${size} en un seul fichier.`,
    hint: 'Ouvrez le lien sur un ordinateur, car souvent un téléphone ne peut pas ouvrir un fichier aussi grand. Il ne fonctionne que tant que la galerie est ouverte.',
    button: 'Télécharger les photos',
  },
  open: {
    subject: (eventName) => `Les photos de ${eventName} sont visibles`,
    preview: 'Vous nous avez demandé de vous prévenir.',
    heading: 'Les photos sont visibles',
    lead: (eventName) => `Vous pouvez maintenant voir les photos de ${eventName}.`,
    button: 'Voir les photos',
    reason: (host) =>
      `Vous recevez cet e-mail parce que votre adresse a été indiquée sur la page d’un événement de ${host}, pour savoir quand ses photos sont visibles. ` +
      `Nous l’avons maintenant supprimée de cette liste.`,
  },
}
