import type { printKit as english } from '../en/print-kit.ts'

/** The page with table cards and posters. What is printed itself is in `../printed.ts`. */
export const printKit: typeof english = {
  title: 'Carte de table et affiche',
  heading: 'Carte de table et affiche',
  lead: 'Une photo avec son code, à poser sur les tables et à coller aux portes.',
  formats: {
    label: 'Que voulez-vous imprimer ?',
    card: 'Carte de table',
    cardSize: 'A6, 105 × 148 mm',
    four: 'Quatre cartes sur une feuille',
    fourSize: 'A4, avec repères de coupe',
    poster: 'Affiche',
    posterSize: 'A4, 210 × 297 mm',
  },
  line: {
    label: 'Votre texte',
    example: 'Lotte & Bram, 14 novembre',
    count: (used, most) => `${used} caractères sur ${most}`,
    missing: (characters) =>
      `Cet appareil ne peut pas afficher « ${characters} », qui ne sera donc pas imprimé. Modifiez votre texte ou imprimez depuis un autre appareil.`,
  },
  languages: { first: 'Langue des invités', second: 'Deuxième langue', none: 'Aucune' },
  logo: {
    label: 'Votre logo',
    hint: 'Celui des Paramètres, rubrique Apparence.',
    none: 'Vous n’avez pas encore de logo.',
    add: 'Ajoutez-en un dans les Paramètres',
    failed: 'Votre logo n’a pas pu être chargé : il ne figure pas sur l’impression.',
  },
  wifi: {
    label: 'Code Wi-Fi',
    hint: '« 1. Rejoindre, 2. Scanner », pour les salles sans réseau mobile.',
    network: 'Nom du réseau',
    password: 'Mot de passe',
    security: 'Sécurité',
    securities: { WPA: 'WPA, WPA2 ou WPA3', WEP: 'WEP (ancien)', nopass: 'Sans mot de passe' },
    hidden: 'Réseau masqué',
    nameMissing:
      'Cet appareil ne peut pas afficher tous les caractères de ce nom. Il n’est donc pas imprimé sous son code. Le code, lui, fonctionne.',
    privacy:
      'Le nom et le mot de passe restent sur cette page. Ils sont imprimés, jamais envoyés chez nous, et disparaissent quand vous quittez la page.',
    incomplete: 'Le code Wi-Fi s’affiche dès que le nom et le mot de passe sont complets.',
    errors: {
      networkMissing: 'Indiquez le nom du réseau.',
      networkLong: 'Ce nom est trop long pour un réseau Wi-Fi. Vérifiez-le.',
      passwordMissing: 'Indiquez le mot de passe ou choisissez « Sans mot de passe ».',
      passwordWpa: 'Un mot de passe WPA compte de 8 à 63 lettres, chiffres et signes sans accents. Vérifiez-le.',
      passwordWep:
        'Un mot de passe WEP compte 5 ou 13 caractères, ou 10 ou 26 chiffres et lettres de A à F. Vérifiez-le.',
    },
  },
  actions: { print: 'Imprimer', pdf: 'PDF', making: 'Création du PDF', made: 'Le PDF est prêt.' },
  hint: 'Imprimez à 100 %, sans « ajuster à la page ». Puis scannez le code une fois vous-même.',
  preview: {
    label: 'Aperçu',
    alt: (what, photo) => `${what} avec ${photo} et son code QR`,
    one: (width, distance) => `Code de ${width} mm de large : se scanne à ${distance} cm`,
    two: (width, distance) => `Codes de ${width} mm de large : se scannent à ${distance} cm`,
    cut: 'Quatre cartes, à couper le long des repères',
  },
  empty: 'Pas encore de photos. Ajoutez une photo pour imprimer son code.',
  upload: 'Ajouter des photos',
  deleted: 'Cette photo n’existe plus.',
  processing: 'Cette photo est en cours de traitement. Vous pourrez l’imprimer dès qu’elle sera prête.',
  failed: 'Cette photo n’a pas pu être traitée : elle n’a pas de code.',
  hidden: 'Cette photo est masquée aux invités : son code n’ouvre rien. Affichez-la de nouveau pour l’imprimer.',
  gallery: 'Ouvrir la galerie',
  open: 'Ouvrir la photo',
  errors: {
    photos: 'Impossible de charger vos photos. Réessayez.',
    photo: 'Impossible de charger cette photo. Réessayez.',
    code: 'Impossible de charger le code de cette photo. Réessayez.',
    pdf: 'Impossible de créer le PDF. Réessayez, ou choisissez Imprimer puis « Enregistrer au format PDF ».',
  },
}
