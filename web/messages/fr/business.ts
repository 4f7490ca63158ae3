import type * as english from '../en/business.ts'

export const business: typeof english.business = {
  heading: 'Coordonnées de l’entreprise',
  none: 'Vous achetez pour une entreprise ? Vos factures peuvent indiquer son nom et son numéro de TVA.',
  named: 'Vos factures sont au nom de cette entreprise.',
  incomplete: 'L’adresse est incomplète. Les factures en ont besoin en entier : complétez ce qui manque.',
  pending:
    'Enregistré ici. Notre prestataire de paiement est injoignable pour le moment ; il recevra vos coordonnées dès qu’il répondra.',
  add: 'Ajouter une entreprise',
  change: 'Modifier',
  remove: 'Supprimer',
  save: 'Enregistrer',
  address: 'Adresse',
  saved: 'Enregistré. Les prochaines factures seront au nom de votre entreprise.',
  removed: 'Supprimé. Les prochaines factures n’indiqueront plus d’entreprise.',
  lead: 'Les prochaines factures seront au nom de cette entreprise. Les précédentes restent telles quelles.',
  removal: 'Les prochaines factures n’indiqueront plus d’entreprise. Les précédentes restent telles quelles.',
  removalTitle: 'Supprimer les coordonnées de l’entreprise',
  errors: {
    load: 'Les coordonnées de votre entreprise n’ont pas pu être chargées.',
    save: 'Les coordonnées de votre entreprise n’ont pas pu être enregistrées. Veuillez réessayer.',
    remove: 'Les coordonnées de votre entreprise n’ont pas pu être supprimées. Veuillez réessayer.',
  },
  fields: {
    name: 'Nom de l’entreprise',
    vat_number: 'Numéro de TVA',
    street: 'Rue et numéro',
    postal_code: 'Code postal',
    city: 'Localité',
  },
  vatHint: (example) => `Avec les lettres du pays, comme dans ${example}.`,
  missing: {
    name: 'Indiquez le nom de l’entreprise',
    vat_number: 'Indiquez le numéro de TVA',
    street: 'Indiquez la rue et le numéro',
    postal_code: 'Indiquez le code postal',
    city: 'Indiquez la localité',
  },
  problems: {
    long: (characters) => `Utilisez ${characters} caractères au maximum`,
    characters: 'Ce texte contient des sauts de ligne ou des caractères invisibles. Saisissez-le de nouveau',
    country: (example) => `Commencez par les lettres d’un pays de l’Union européenne, comme dans ${example}`,
    form: (example) => `Les numéros de TVA de ce pays ressemblent à ${example}`,
    digits:
      'Ce numéro de TVA ne peut pas être correct : ses chiffres de contrôle ne correspondent pas. Comparez-le avec votre immatriculation',
    payments: 'Le prestataire de paiement n’accepte pas ce numéro de TVA. Comparez-le avec votre immatriculation',
  },
  checkout: {
    choose: 'J’achète pour une entreprise',
    hint: 'La facture indique alors l’entreprise et son numéro de TVA.',
    refused: 'Vérifiez les coordonnées de votre entreprise.',
    nothingCharged: 'Rien n’a été débité.',
  },
}
