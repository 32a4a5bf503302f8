#include "../scratch.h"
