import type { settings as english } from '../en/settings.ts'

/** The switches of the settings page. */
export const settings: typeof english = {
  askForEmail: {
    label: 'Demander une adresse e-mail',
    hint: 'Les invités indiquent une adresse et reçoivent la photo par e-mail. Cela vaut aussi pour les codes déjà imprimés.',
    saved: 'Réglage enregistré',
    failed: 'Le réglage n’a pas pu être enregistré. Veuillez réessayer.',
  },
  photos: 'Photos',
  watermark: {
    label: 'Filigrane',
    hint: 'Place votre logo sur les nouvelles photos. Nécessite un logo et une formule Pro.',
    saved: 'Réglage du filigrane enregistré',
    failed: 'Le réglage du filigrane n’a pas pu être enregistré',
  },
  watermarkLayout: {
    size: 'Taille',
    sizes: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
    strength: 'Intensité',
    strengths: { light: 'Légère', medium: 'Moyenne', strong: 'Forte' },
    corner: 'Position',
    corners: {
      'top-left': 'En haut à gauche',
      'top-right': 'En haut à droite',
      center: 'Au centre',
      'bottom-left': 'En bas à gauche',
      'bottom-right': 'En bas à droite',
    },
    saved: 'Réglage du filigrane enregistré',
    failed: 'Le réglage du filigrane n’a pas pu être enregistré',
  },
  mail: 'E-mail',
  preferences: {
    saved: 'Préférences d’e-mail enregistrées',
    failed: 'Les préférences d’e-mail n’ont pas pu être enregistrées',
  },
  news: { label: 'Nouveautés', hint: 'Un court e-mail quand une nouveauté est prête. Quelques fois par an.' },
  offers: { label: 'Offres', hint: 'Réductions et offres de saison.' },
  removals: {
    label: 'Avant la suppression d’adresses',
    hint: 'Un e-mail quand 20 adresses d’invités ou plus seront supprimées dans les 14 jours. Au plus un par mois.',
  },
  service:
    'Les e-mails indispensables au compte, comme ceux pour un nouveau mot de passe, sont toujours envoyés et ne contiennent aucune publicité.',
}
