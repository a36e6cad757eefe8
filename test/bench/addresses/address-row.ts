/** An address with its true parts, in the form of the files that `--file` takes (one JSON object a line). */
export interface AddressRow {
  street: string;
  number: string | null;
  interior: string | null;
  colonia: string | null;
  colonia_type: string | null;
  municipality: string;
  state: string;
  postal_code: string;
  reference?: string;
  tags: string[];
}
