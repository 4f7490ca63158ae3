import type * as english from '../en/event-guests.ts'

export const eventGuests: typeof english.eventGuests = {
  title: 'Photos de ce soir',
  description: 'Les photos de cet événement, dès qu’elles sont prises.',
  all: 'Toutes les photos de ce soir',
  leads: {
    added: 'Toutes les photos, les plus récentes d’abord.',
    taken: 'Toutes les photos, les dernières prises d’abord.',
  },
  newest: 'Photos les plus récentes',
  fresh: 'Nouvelles photos',
  more: 'Plus de photos',
  archive: (count, written, size) =>
    count === 1 ? `Télécharger la photo (${size})` : `Télécharger les ${written} photos (${size})`,
  photoAlt: (time) => `Photo, ${time}`,
  empty: 'Pas encore de photos. Elles apparaîtront ici automatiquement.',
  noMore: 'Plus de photos.',
  opens: (time) => `Les photos s’ouvrent à ${time}`,
  comeBack: 'Cette page s’ouvrira d’elle-même.',
  ended: { heading: 'Cette soirée est terminée. Les codes sur les photos imprimées fonctionnent encore.', advice: '' },
  off: {
    heading: 'Il n’y a pas encore de photos ici',
    advice: 'Demandez aux hôtes, ou scannez le code d’une photo.',
  },
  unknown: {
    heading: 'Ce code ne fonctionne pas',
    advice: 'Il a peut-être été remplacé par un nouveau. Demandez-le aux hôtes.',
  },
  about: {
    noFaces: 'Aucune reconnaissance faciale n’est utilisée ici.',
    responsible: (name) => `${name} est responsable de ces photos.`,
    hosts: 'Les hôtes sont responsables de ces photos.',
    report: 'Pour signaler une photo, ouvrez-la.',
  },
}

export const eventEmails: typeof english.eventEmails = {
  tell: {
    open: 'Me prévenir de l’ouverture',
    heading: 'Me prévenir quand les photos sont ouvertes',
    send: 'Me prévenir',
    consent: 'Nous utilisons votre adresse pour ce seul e-mail, rien d’autre.',
    sent: 'Nous vous préviendrons de l’ouverture',
    lead: 'Un seul e-mail partira vers',
    after: 'Il part quand les photos sont ouvertes.',
  },
  everything: {
    open: 'Tout m’envoyer',
    heading: 'Toutes les photos par e-mail',
    send: 'M’envoyer le lien',
    consent: 'Nous utilisons votre adresse pour envoyer ce lien, rien d’autre.',
    lead: 'Un lien vers toutes les photos est en route vers',
    after: 'Il fonctionne 72 heures. Sur un ordinateur, le fichier s’ouvre d’un double-clic.',
  },
}

export const scannedPhotos: typeof english.scannedPhotos = {
  photos: 'Vos photos',
  email: 'Tout envoyer à mon adresse',
  send: 'Tout envoyer',
  consent: 'Nous utilisons votre adresse pour envoyer ces photos, rien d’autre.',
  onTheirWay: 'Vos photos sont en route vers',
  arrival:
    'Elles arrivent en général en une minute, mais cela peut être plus long quand beaucoup d’invités en demandent.',
  remember: 'Garder 30 jours',
  forget: 'Oublier',
  script: {
    one: 'Vous avez 1 photo de ce soir',
    many: 'Vous avez {} photos de ce soir',
    lead: 'Pas de reconnaissance faciale. Cette liste reste sur ce téléphone seul, pendant 48 heures.',
    leadRemembered: 'Pas de reconnaissance faciale. Cette liste reste sur ce téléphone seul, pendant 30 jours.',
    photo: 'Photo {}',
    save: 'Enregistrer',
    loading: 'Chargement : {} sur {}',
    saveAll: 'Tout enregistrer',
    saveFirst: 'Enregistrer les {} premières',
    saveNext: 'Enregistrer les {} suivantes',
    saved: 'Elles y sont toutes.',
    again: 'Recharger',
    notLoaded: 'Certaines photos n’ont pas pu être chargées. Vérifiez votre connexion et réessayez.',
    tapAgain: 'Les photos sont prêtes. Touchez encore une fois.',
    notShared: 'Impossible de les enregistrer ensemble ici. Utilisez Enregistrer sous chaque photo.',
    byEmail: 'Les photos sans Enregistrer sont envoyées par e-mail.',
    droppedOne: '1 photo n’est plus partagée et a quitté cette liste.',
    dropped: '{} photos ne sont plus partagées et ont quitté cette liste.',
    allDropped: 'Les photos que vous aviez ici ne sont plus partagées.',
    forgotten: 'Oublié. Il ne reste rien de cette liste sur ce téléphone.',
    newest: 'Les {} plus récentes vont dans l’e-mail.',
  },
}

export const eventOrder: typeof english.eventOrder = {
  label: 'Ordre des photos',
  orders: { added: 'Par ajout', taken: 'Par prise de vue' },
  hours: 'Heures avec des photos',
  hour: (time, count, written) => (count === 1 ? `${time}, 1 photo` : `${time}, ${written} photos`),
}

export const eventCodes: typeof english.eventCodes = {
  heading: 'Code pour les invités',
  lead: 'Posez-le sur les tables : il mène chaque invité à la galerie de cet événement.',
  off: 'Les invités ne voient encore rien : activez la galerie des invités.',
  alt: 'Code QR de cet événement',
  open: 'Ouvrir comme invité',
  print: 'Imprimer',
  printLabel: (label) => `Imprimer le code de ${label}`,
  renew: 'Remplacer le code',
  confirmRenew: {
    title: 'Remplacer le code de cet événement ?',
    question:
      'Le code que vous avez imprimé ou partagé cesse aussitôt de fonctionner, et ses liens aussi. Les codes des tables et des photos fonctionnent toujours.',
    confirm: 'Remplacer le code',
    done: 'L’événement a un nouveau code.',
  },
  tables: {
    heading: 'Tables',
    lead: 'Chaque table peut avoir son propre code. Il mène à la même galerie.',
    count: 'Nombre de tables',
    name: (number) => `Table ${number}`,
    add: 'Ajouter des tables',
    label: 'Ou un seul nom',
    addOne: 'Ajouter',
    revokeLabel: (label) => `Révoquer le code de ${label}`,
  },
  confirmRevoke: {
    title: (label) => `Révoquer le code de ${label} ?`,
    question: 'Il cesse aussitôt de fonctionner, sur papier aussi. Vous pouvez en ajouter un nouveau à tout moment.',
    confirm: 'Révoquer',
    done: 'Le code a été révoqué.',
  },
  errors: {
    load: 'Les codes n’ont pas pu être chargés.',
    change: 'Les codes n’ont pas pu être modifiés. Réessayez.',
  },
}

export const eventPrint: typeof english.eventPrint = {
  lead: 'Un code pour toutes les photos, à poser sur les tables et à l’entrée.',
  code: 'Code',
  own: 'Tout l’événement',
  gone: 'Cet événement n’existe plus.',
  failed: 'Le code n’a pas pu être chargé.',
}

export const eventOnScreen: typeof english.eventOnScreen = {
  all: 'Toutes les photos',
  add: 'Ajoutez des photos',
  alt: 'Code QR de cet événement',
}
