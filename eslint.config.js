import hooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "node_modules",
      "build",
      ".data",
      ".cache",
      "extensions/*/dist",
      "**/*.d.ts",
      "app/generated",
      "test/sandbox/admin/extension-host/dist",
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ["**/*.{ts,tsx,js,cjs}"],
    rules: {
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "separate-type-imports", disallowTypeAnnotations: false },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "none" },
      ],
      "@typescript-eslint/no-non-null-assertion": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": ["error", { allow: ["error", "warn"] }],
      "max-params": ["error", { max: 4 }],
    },
  },
  { files: ["app/**/*.tsx"], plugins: { "react-hooks": hooks }, rules: hooks.configs.recommended.rules },
  {
    // One odd text must not hold up the process, and with it all shops.
    files: ["app/**", "extensions/**", "scripts/**"],
    plugins: { regexp },
    rules: { "regexp/no-super-linear-backtracking": "error", "regexp/no-super-linear-move": "error" },
  },
  {
    // A word from outside may be called as something that every object has: `constructor`, `__proto__`. A table of words is a Map.
    files: ["app/**", "extensions/*/src/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "VariableDeclarator[init.type='ObjectExpression'] > Identifier > TSTypeAnnotation > TSTypeReference[typeName.name=/^(Record|Partial)$/] > TSTypeParameterInstantiation > TSStringKeyword:first-child",
          message: "Any word may be looked up in this table, also `constructor`: make it a Map.",
        },
      ],
    },
  },
  { files: ["scripts/**", "test/**"], rules: { "no-console": "off" } },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off", "no-var": "off" } },
);
