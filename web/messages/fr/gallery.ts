import type { gallery as english } from '../en/gallery.ts'

/** The gallery and its viewer. */
export const gallery: typeof english = {
  title: 'Galerie',
  heading: 'Galerie',
  count: (photos, written) => (photos < 2 ? `${written} photo` : `${written} photos, les plus récentes d’abord`),
  upload: 'Ajouter des photos',
  empty: 'Pas encore de photos. Ajoutez-en pour commencer !',
  received: 'Nouvelle photo reçue !',
  tile: (name, taken) => `${name}, ${taken}`,
  processing: (name) => `${name} est en cours de traitement`,
  failed: 'Échec du traitement',
  failedTile: (name) => `${name} : échec du traitement`,
  hidden: 'Masquée aux invités',
  hiddenTile: (label) => `${label}, masquée aux invités`,
  hiddenByOperator: 'Masquée par l’exploitant',
  hiddenByOperatorTile: (label) => `${label}, masquée aux invités par l’exploitant de ce site`,
  retry: 'Réessayer',
  retryProcessing: (name) => `Réessayer : ${name}`,
  select: {
    start: 'Sélectionner',
    stop: 'Terminé',
    label: 'Photos sélectionnées',
    toggle: (name) => `Sélectionner ${name}`,
    count: (photos) => (photos < 2 ? `${photos} sélectionnée` : `${photos} sélectionnées`),
    hint: 'Choisissez les photos à télécharger, masquer ou supprimer.',
    download: 'Télécharger',
    hide: 'Masquer',
    show: 'Afficher',
    remove: 'Supprimer',
  },
  errors: {
    load: 'Les photos n’ont pas pu être chargées. Veuillez réessayer plus tard.',
    remove: 'La photo n’a pas pu être supprimée. Veuillez réessayer plus tard.',
    removeSome: (photos) =>
      photos < 2
        ? 'La photo n’a pas pu être supprimée. Veuillez réessayer plus tard.'
        : `${photos} photos n’ont pas pu être supprimées. Veuillez réessayer plus tard.`,
    retry: 'Cette photo n’a pas pu être traitée à nouveau. Ajoutez-la une nouvelle fois.',
  },
  visibility: {
    hide: 'Masquer aux invités',
    show: 'Afficher à nouveau',
    undo: 'Annuler',
    hidden: (photos) => (photos < 2 ? 'Photo masquée aux invités.' : `${photos} photos masquées aux invités.`),
    shown: (photos) =>
      photos < 2
        ? 'Les invités peuvent à nouveau ouvrir la photo.'
        : `Les invités peuvent à nouveau ouvrir ${photos} photos.`,
    hideFailed: (photos) =>
      photos < 2
        ? 'La photo n’a pas pu être masquée. Veuillez réessayer.'
        : `${photos} photos n’ont pas pu être masquées. Veuillez réessayer.`,
    showFailed: (photos) =>
      photos < 2
        ? 'La photo n’a pas pu être réaffichée. Veuillez réessayer.'
        : `${photos} photos n’ont pas pu être réaffichées. Veuillez réessayer.`,
  },
  confirmDelete: {
    title: 'Supprimer la photo',
    question: 'Voulez-vous vraiment supprimer cette photo ? Cette action est irréversible.',
    titleMany: (photos) => `Supprimer ${photos} photos`,
    questionMany: (photos) => `Voulez-vous vraiment supprimer ces ${photos} photos ? Cette action est irréversible.`,
    confirm: 'Supprimer',
  },
  viewer: {
    label: 'Photo',
    position: (at, of) => `Photo ${at} sur ${of}`,
    // For screen readers.
    slides: {
      all: 'Photos',
      kind: 'carrousel',
      one: 'photo',
      position: (at, of) => `${at} sur ${of}`,
    },
    previous: 'Photo précédente',
    next: 'Photo suivante',
    remove: 'Supprimer la photo',
    close: 'Fermer',
    scan: 'Scannez pour garder',
    codeAlt: (name) => `Code QR de ${name}`,
    downloadPhoto: 'télécharger la photo',
    downloadCode: 'télécharger le QR',
    print: 'imprimer une carte',
    copyLink: 'Copier le lien',
    link: 'Lien vers la photo',
    processing: 'Traitement de votre photo',
    processingHint: 'Elle s’affichera ici toute seule.',
    failed: 'Échec du traitement',
    failedHint: 'Une erreur s’est produite pendant le traitement. Essayez d’ajouter à nouveau la photo.',
    deleted: 'Cette photo n’existe plus.',
    unreadable: 'Cette photo n’a pas pu être chargée.',
    hiddenHint: 'Les invités ne la voient pas.',
    operator: {
      hid: (when) => `L’exploitant de ce site a masqué cette photo aux invités le ${when}.`,
      // Where the operator wrote no message.
      why: 'Un invité l’avait signalée, puis elle a été examinée.',
      mistake: 'Vous pensez qu’il s’agit d’une erreur ?',
      support: 'Contacter l’assistance',
      shows: (when) => `L’exploitant de ce site l’a de nouveau autorisée le ${when}.`,
    },
  },
  /** Several photos as one ZIP file. */
  archive: {
    evening: (date: string) => `Télécharger les photos : ${date}`,
    preparing: 'Préparation…',
    preparingHint:
      'Les photos sont en cours de préparation. Le téléchargement commencera de lui-même ; laissez cette page ouverte.',
    started: (size: string) => `Votre téléchargement a commencé : un fichier ZIP de ${size}.`,
    failed: 'Les photos n’ont pas pu être téléchargées. Veuillez réessayer.',
    tooMany: 'Téléchargez 2 000 photos au maximum à la fois : sélectionnez-en moins, ou téléchargez soirée par soirée.',
  },
}
