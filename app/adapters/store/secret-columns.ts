import type { Prisma, PrismaClient } from "@prisma/client";
import { TABLE_SPECS } from "./table-specs.ts";

/** Every column that holds secrets, with Shopify's sessions. Each of their models has an `id` and a `shop`. */
export interface SecretColumn {
  model: string;
  field: string;
}

export const SESSION_SECRETS = ["accessToken", "refreshToken"] as const;

export const SECRET_COLUMNS: readonly SecretColumn[] = [
  ...Object.values(TABLE_SPECS).flatMap(({ model, fields }) =>
    Object.entries(fields)
      .filter(([, kind]) => kind.startsWith("secret"))
      .map(([field]) => ({ model, field })),
  ),
  ...SESSION_SECRETS.map((field) => ({ model: "Session", field })),
];

type Row = Record<string, unknown> & { id: string; shop: string };

interface SecretRows {
  findFirst(query: Record<string, unknown>): Promise<Row | null>;
  findMany(query: Record<string, unknown>): Promise<Row[]>;
  updateMany(query: Record<string, unknown>): Promise<{ count: number }>;
}

export function secretRows(prisma: PrismaClient | Prisma.TransactionClient, { model }: SecretColumn): SecretRows {
  return (prisma as unknown as Record<string, SecretRows>)[model.charAt(0).toLowerCase() + model.slice(1)]!;
}
