// flat FILE.yaml - prints a YAML file as lines, PATH<tab>VALUE: each scalar with the keys that
// lead to it, and the numbers of elements: targets.lint.filesets.0<tab>rtl. A file that is no
// YAML, is empty, has a key twice or an alias ends with 1.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

enum { PATH_MAX_LENGTH = 1000 };

static bool put(yaml_document_t *document, yaml_node_t *node, const char *path);

static bool put_under(yaml_document_t *document, int item, const char *path, const char *key)
{
    char below[PATH_MAX_LENGTH];
    int length = snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", key);

    if (length < 0 || (size_t)length >= sizeof below) {
        fprintf(stderr, "flat: %s: too deep\n", path);
        return false;
    }
    return put(document, yaml_document_get_node(document, item), below);
}

static bool put_pairs(yaml_document_t *document, yaml_node_t *node, const char *path)
{
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(document, pair->key);
        const char *name = (const char *)key->data.scalar.value;

        if (key->type != YAML_SCALAR_NODE) {
            fprintf(stderr, "flat: %s: a key is no text\n", path);
            return false;
        }
        for (yaml_node_pair_t *other = node->data.mapping.pairs.start; other < pair; other++) {
            yaml_node_t *before = yaml_document_get_node(document, other->key);
            if (strcmp((const char *)before->data.scalar.value, name) == 0) {
                fprintf(stderr, "flat: line %zu: %s is there twice\n", key->start_mark.line + 1,
                        name);
                return false;
            }
        }
        if (!put_under(document, pair->value, path, name))
            return false;
    }
    return true;
}

static bool put(yaml_document_t *document, yaml_node_t *node, const char *path)
{
    int number = 0;

    switch (node->type) {
    case YAML_SCALAR_NODE:
        printf("%s\t%s\n", path, (const char *)node->data.scalar.value);
        return true;
    case YAML_SEQUENCE_NODE:
        for (yaml_node_item_t *item = node->data.sequence.items.start;
             item < node->data.sequence.items.top; item++) {
            char key[20];
            snprintf(key, sizeof key, "%d", number++);
            if (!put_under(document, *item, path, key))
                return false;
        }
        return true;
    case YAML_MAPPING_NODE:
        return put_pairs(document, node, path);
    default:
        return false;
    }
}

int main(int argc, char **argv)
{
    yaml_parser_t parser;
    yaml_document_t document;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    yaml_node_t *root;
    bool done;

    if (file == NULL) {
        fprintf(stderr, "flat: %s cannot be read\n", argc == 2 ? argv[1] : "FILE");
        return EXIT_FAILURE;
    }
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &document)) {
        fprintf(stderr, "flat: %s: line %zu: %s\n", argv[1], parser.problem_mark.line + 1,
                parser.problem);
        return EXIT_FAILURE;
    }
    root = yaml_document_get_root_node(&document);
    done = root != NULL && root->type == YAML_MAPPING_NODE && put(&document, root, "");
    if (!done)
        fprintf(stderr, "flat: %s: no YAML of keys and values\n", argv[1]);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fclose(file);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
